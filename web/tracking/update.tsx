import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import type { AssociationDetails } from "../api/api.ts";
import { instanceQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Card } from "../ui/display/card.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { STATUS } from "../ui/display/status.ts";
import { PageHead } from "../ui/frame/page_head.tsx";
import { Aliases } from "./aliases.tsx";
import { associationQuery } from "./queries.ts";
import classes from "./track_form.module.css";
import { UpdateForm } from "./update_form.tsx";

/** Changes the settings of a tracked address. */
export default function Update() {
  const text = useText();
  const { association_id = "" } = useParams();
  const query = useQuery(associationQuery(association_id));
  const { data: instance, isPending } = useQuery(instanceQuery);
  return (
    <>
      <PageHead title={text("update.title")}>{query.data && !isPending && <Facts association={query.data} />}</PageHead>
      <Fetched query={query} failureTitle={text("update.load_failed")} height={480} awaits={isPending}>
        {(association) => (
          <>
            <Card className={classes.card}>
              <UpdateForm key={association.id} association={association} offered={instance?.channels} />
            </Card>
            {association.consent === "own" && <Aliases association={association} />}
          </>
        )}
      </Fetched>
    </>
  );
}

function Facts({ association: { address, status } }: { association: AssociationDetails }) {
  const text = useText();
  const look = status && STATUS[status];
  return (
    <div className={classes.facts}>
      <Address>{address}</Address>
      {look && (
        <Badge tone={look.tone} icon={look.icon}>
          {text(look.label)}
        </Badge>
      )}
    </div>
  );
}
