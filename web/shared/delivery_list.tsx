import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import type { Delivery } from "../api/api.ts";
import { Text, useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Ago, Moment } from "../ui/display/dates.tsx";
import rows from "../ui/display/rows.module.css";
import { ChannelIcon } from "./channel_icon.tsx";
import { contactName } from "./contact_name.ts";
import classes from "./delivery_list.module.css";
import { DELIVERY_KIND, DELIVERY_STATE, hasContactTrouble, reasonOf } from "./delivery_words.ts";

type Props = {
  deliveries: Delivery[];
  /** Whether the page shows the contacts itself, so that no link to them is needed. */
  besideContacts?: boolean;
};

/** Delivery states of messages, contact by contact. */
export function DeliveryList({ deliveries, besideContacts = false }: Props) {
  return (
    <ul className={rows.rows}>
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} besideContacts={besideContacts} />
      ))}
    </ul>
  );
}

function DeliveryRow({ delivery, besideContacts }: { delivery: Delivery; besideContacts: boolean }) {
  const text = useText();
  const { channel, state, at, kind } = delivery;
  const { tone, label } = DELIVERY_STATE[state];
  const kindText = DELIVERY_KIND[kind];
  const reason = reasonOf(delivery);
  return (
    <li className={classes.row} data-state={state}>
      <ChannelIcon channel={channel} />
      <div className={classes.words}>
        <div className={classes.name}>
          <Address>{contactName(delivery)}</Address>
          <Badge tone={tone}>{text(label)}</Badge>
        </div>
        {reason && (
          <p>
            {text(reason)}{" "}
            {hasContactTrouble(delivery) && !besideContacts && (
              <Anchor component={Link} to="../contacts" inherit underline="always">
                {text("delivery.see_contacts")}
              </Anchor>
            )}
          </p>
        )}
        {delivery.acknowledgedAt !== null && (
          <p>
            <Text
              id="delivery.acknowledged"
              values={{ when: <Moment key="when" iso={delivery.acknowledgedAt} withTime /> }}
            />
          </p>
        )}
        {delivery.inDoubt && <p>{text("delivery.in_doubt")}</p>}
        <p className={classes.small}>
          {kindText && <span>{text(kindText)}</span>}
          <Moment iso={at} withTime />
          <Tries delivery={delivery} />
        </p>
        <Provider delivery={delivery} />
      </div>
    </li>
  );
}

function Tries({ delivery: { tries, nextTryAt, state } }: { delivery: Delivery }) {
  const text = useText();
  return (
    <>
      {tries > 1 && <span>{text("delivery.tries", { count: tries })}</span>}
      {nextTryAt !== null && state === "retrying" && (
        <span>
          <Text id="delivery.next_try" values={{ when: <Ago key="when" iso={nextTryAt} /> }} />
        </span>
      )}
    </>
  );
}

function Provider({ delivery: { detail, providerId } }: { delivery: Delivery }) {
  const text = useText();
  if (detail === null && providerId === null) return null;
  return (
    <p className={`${classes.small} breakable`}>
      {detail !== null && <span>{text("failure.said", { detail })}</span>}
      {providerId !== null && <span>{text("delivery.provider_id", { id: providerId })}</span>}
    </p>
  );
}
