import { IconInfoCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { instanceQuery } from "../../api/queries.ts";
import { Text } from "../../app/i18n.tsx";
import classes from "./demo_banner.module.css";

/** Says that this installation knows only example addresses, and names two. */
export function DemoBanner() {
  const { data } = useQuery(instanceQuery);
  const [first, second] = data?.exampleAddresses ?? [];
  if (!data?.demonstration || first === undefined) return null;
  return (
    <div className={classes.banner}>
      <IconInfoCircle size={20} stroke={1.75} aria-hidden="true" />
      <p>
        <Text
          id={second === undefined ? "demo.one" : "demo.two"}
          values={{ first: <code>{first}</code>, second: <code>{second}</code> }}
        />
      </p>
    </div>
  );
}
