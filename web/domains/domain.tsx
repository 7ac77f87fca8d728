import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "react-router";
import { shownDomain } from "../../src/shared/shown_address.ts";
import { isApiError } from "../api/api.ts";
import type { Domain } from "../api/domains_api.ts";
import { errorPath } from "../app/guards.ts";
import { useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Card } from "../ui/display/card.tsx";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import classes from "./domains.module.css";
import { HeldDomain } from "./held_domain.tsx";
import { PlanLimit } from "./plan_limit.tsx";
import { ProofCard } from "./proof_card.tsx";
import { domainQuery } from "./queries.ts";
import { RemoveDomain } from "./remove_domain.tsx";
import { DomainBadge, isHeld } from "./state_badge.tsx";

/** One domain: how to prove it, or what was found there. */
export default function DomainPage() {
  const text = useText();
  const { lang = "en", id = "" } = useParams();
  const { data, error, refetch } = useQuery(domainQuery(id));
  if (isApiError(error) && error.code === "NOT_FOUND") return <Navigate to={errorPath(lang, "404")} replace />;
  if (data) return <Shown domain={data} />;
  return (
    <>
      <PageHead title={text("domain.title")} />
      {error ? (
        <Card>
          <LoadFailure title={text("domain.load_failed")} error={error} onRetry={() => refetch()} />
        </Card>
      ) : (
        <Skeleton height={420} radius="lg" />
      )}
    </>
  );
}

function Shown({ domain }: { domain: Domain }) {
  const text = useText();
  const isShown = isHeld(domain) && domain.coverage === "covered";
  return (
    <>
      <PageHead title={<Address>{shownDomain(domain.name)}</Address>}>
        <DomainBadge domain={domain} />
      </PageHead>
      <div className={classes.sections}>
        {domain.state !== "proven" && <ProofCard domain={domain} />}
        {isHeld(domain) && !isShown && <PlanLimit>{text("domain.suspended")}</PlanLimit>}
        {isShown ? <HeldDomain domain={domain} /> : <RemoveDomain domain={domain} />}
      </div>
    </>
  );
}
