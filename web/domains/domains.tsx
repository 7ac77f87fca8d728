import { Anchor, Stack } from "@mantine/core";
import { IconWorld } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { shownDomain } from "../../src/shared/shown_address.ts";
import type { Domain, DomainList } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import rows from "../ui/display/rows.module.css";
import { PageHead } from "../ui/frame/page_head.tsx";
import { AddDomain } from "./add_domain.tsx";
import { PlanLimit } from "./plan_limit.tsx";
import { domainsQuery } from "./queries.ts";
import { DomainBadge, isHeld } from "./state_badge.tsx";

/** The domains that the account administers, or is about to prove. */
export default function Domains() {
  const text = useText();
  const domains = useQuery(domainsQuery);
  return (
    <>
      <PageHead title={text("domains.title")}>{text("domains.lead")}</PageHead>
      <Fetched query={domains} failureTitle={text("domains.load_failed")} height={420}>
        {(list) => (
          <Stack gap="md">
            <Listed list={list} />
            <Adding list={list} />
          </Stack>
        )}
      </Fetched>
    </>
  );
}

function Listed({ list: { items } }: { list: DomainList }) {
  const text = useText();
  return (
    <Card>
      {items.length === 0 ? (
        <EmptyState order={2} icon={IconWorld} title={text("domains.none")}>
          {text("domains.none_text")}
        </EmptyState>
      ) : (
        <ul className={rows.rows}>
          {items.map((domain) => (
            <Row key={domain.id} domain={domain} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ domain }: { domain: Domain }) {
  const text = useText();
  const formatDate = useFormatDate();
  const { id, name, proof, coverage, createdAt, provenAt } = domain;
  const day = (iso: string) => formatDate(iso, { dateStyle: "medium" });
  return (
    <li className={rows.row}>
      <div className={rows.words}>
        <h2 className={rows.name}>
          <Anchor component={Link} to={`../domains/${id}`} inherit>
            <Address>{shownDomain(name)}</Address>
          </Anchor>
        </h2>
        <p className={rows.facts}>
          <span>{text(`domains.proof.${proof}`)}</span>
          <span>
            {provenAt === null
              ? text("domains.added_on", { date: day(createdAt) })
              : text("domains.proven_on", { date: day(provenAt) })}
          </span>
          {coverage === "suspended" && isHeld(domain) && (
            <Anchor component={Link} to="../subscription" inherit underline="always">
              {text("domains.to_plans")}
            </Anchor>
          )}
        </p>
      </div>
      <DomainBadge domain={domain} />
    </li>
  );
}

/** The form, or why the plan does not allow another domain. */
function Adding({ list: { items, allowance } }: { list: DomainList }) {
  const text = useText();
  const { active, domains } = allowance;
  if (!active) return <PlanLimit>{text("domains.plan_ended")}</PlanLimit>;
  if (domains !== null && items.length >= domains)
    return <PlanLimit>{text("domains.plan_full", { count: domains })}</PlanLimit>;
  return <AddDomain />;
}
