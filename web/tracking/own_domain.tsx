import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { shownDomain } from "../../src/shared/shown_address.ts";
import { ownDomainQuery } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import rows from "../ui/display/rows.module.css";
import { Section } from "./section.tsx";

/** Who administers the domain of the account's own address and sees its data breaches; nothing if no one does. */
export function OwnDomain() {
  const text = useText();
  const { data } = useQuery(ownDomainQuery);
  if (!data?.view) return null;
  const { administrators, domain, say } = data.view;
  return (
    <Section id="own-domain" title={text("own_domain.title")} count={administrators.length} empty="">
      <ul className={rows.rows}>
        <li className={rows.row}>
          <div className={rows.words}>
            <h3 className={rows.name}>
              {text("own_domain.who", { count: administrators.length, domain: shownDomain(domain) })}
            </h3>
            <p className={rows.facts}>{text(`own_domain.say.${say}`)}</p>
          </div>
          <div className={rows.actions}>
            <Button component={Link} to="../own-domain" variant="default" size="sm">
              {text("own_domain.open")}
            </Button>
          </div>
        </li>
      </ul>
    </Section>
  );
}
