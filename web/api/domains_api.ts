import { queryOptions } from "@tanstack/react-query";
import { type Answer, type Body, get } from "./call.ts";

export type DomainList = Answer<"/api/domains", "$get">;
export type Domain = Answer<"/api/domains/:id", "$get">;
export type DomainState = Domain["state"];
export type Proof = Domain["proof"];
export type DomainCheck = Answer<"/api/domains/:id/check", "$post">;
export type DomainSource = Answer<"/api/domains/:id/sources", "$get">["items"][number];
export type DomainOverview = Answer<"/api/domains/:id/overview", "$get">;
export type DomainBreach = DomainOverview["breaches"][number];
export type DomainAddressPage = Answer<"/api/domains/:id/addresses/list", "$post">;
export type DomainAddress = DomainAddressPage["items"][number];
export type DomainAddressDetail = Answer<"/api/domains/:id/addresses/show", "$post">;
export type MailboxKind = DomainAddress["kind"];
/** What the person behind an address sees of it. */
export type PersonView = Answer<"/api/domain-links/inspect", "$post">;
export type Say = PersonView["say"];
export type ProofChoice = Body<"/api/domains/:id/proof", "$put">;
export type DomainSettings = Pick<Domain, "catchAll" | "roleSensitive" | "tellPeople" | "digest" | "language">;
export type AddressFilter = { kind?: MailboxKind | undefined; breach?: string; search?: string };

/** Who administers the domain of the account's own address, if anyone does. */
export const ownDomainQuery = queryOptions({ queryKey: ["/api/own-domain"], queryFn: () => get("/api/own-domain") });
