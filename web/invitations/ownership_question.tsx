import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { PRODUCT } from "../../src/shared/product.ts";
import type { ConsentLink } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Fact } from "../ui/display/fact.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import classes from "./manage_invitation.module.css";
import { useAccept, useDecline } from "./question.tsx";
import { RefusalButton } from "./refusal_button.tsx";
import { ScopeCards } from "./scope_cards.tsx";

type Props = {
  token: string;
  link: ConsentLink;
  onAccepted: (manageToken: string) => void;
  onDeclined: (block: boolean) => void;
};

/**
 * Asks the owner of an address whether it belongs to the account that added it as its own. The full scope is
 * preselected, and visibly so.
 */
export function OwnershipQuestion({ token, link, onAccepted, onDeclined }: Props) {
  const text = useText();
  const accept = useAccept({ token, onAccepted });
  const decline = useDecline({ token, onDeclined });
  const [scope, setScope] = useState(FULL_SCOPE);
  const { name, email } = link.inviter;
  return (
    <>
      <PageHead title={text("ownership.heading")}>{text("ownership.lead", { name, email })}</PageHead>
      <div className={classes.sections}>
        <dl className={classes.facts}>
          <Fact label={text("ownership.account")}>
            {name}, <Address>{email}</Address>
          </Fact>
          <Fact label={text("ownership.address")}>
            <Address>{link.address}</Address>
          </Fact>
        </dl>
        <Text>{text("ownership.hint")}</Text>
        <Text>{text("consent.about", { product: PRODUCT })}</Text>
        <ScopeCards name={name} value={scope} onChange={setScope} />
        <Group gap="sm">
          <Button size="md" loading={accept.isPending} onClick={() => accept.mutate(scope)}>
            {text("ownership.confirm")}
          </Button>
          <RefusalButton
            name={name}
            label={text("ownership.deny")}
            question={text("ownership.deny_ask")}
            consequence={text("ownership.deny_text", { name })}
            pending={decline.isPending}
            onRefuse={decline.mutate}
          />
        </Group>
      </div>
    </>
  );
}
