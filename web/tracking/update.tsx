import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { instanceQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Card } from "../ui/display/card.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { STATUS } from "../ui/display/status.ts";
import { PageHead } from "../ui/frame/page_head.tsx";
import { associationQuery } from "./queries.ts";
import classes from "./track_form.module.css";
import { UpdateForm } from "./update_form.tsx";

/** Changes the settings of a tracked address. */
export default function Update() {
  const text = useText();
  const { association_id = "" } = useParams();
  const query = useQuery(associationQuery(association_id));
  const { data: instance, isPending } = useQuery(instanceQuery);
  const { address, status } = query.data ?? {};
  const look = status && STATUS[status];
  return (
    <>
      <PageHead title={text("update.title")}>
        {query.isPending && <Skeleton height={28} width={220} radius="md" />}
        {address && (
          <div className={classes.facts}>
            <Address>{address}</Address>
            {look && (
              <Badge tone={look.tone} icon={look.icon}>
                {text(look.label)}
              </Badge>
            )}
          </div>
        )}
      </PageHead>
      <Card className={classes.card}>
        <Fetched query={query} failureTitle={text("update.load_failed")} height={420} awaits={isPending}>
          {(association) => <UpdateForm key={association.id} association={association} offered={instance?.channels} />}
        </Fetched>
      </Card>
    </>
  );
}
