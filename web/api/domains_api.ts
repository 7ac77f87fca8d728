import { queryOptions } from "@tanstack/react-query";
import type { Language } from "../../src/shared/language.ts";
import { type Answer, fetchFile, get, post, put, remove } from "./call.ts";

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
export type ProofChoice = { proof: Proof; mailbox?: string };
export type DomainSettings = Pick<Domain, "catchAll" | "roleSensitive" | "tellPeople" | "digest" | "language">;
export type AddressFilter = { kind?: MailboxKind | undefined; breach?: string; search?: string };

/** API calls for domains: by their administrators, and by the people behind their addresses. */
export const domainsApi = {
  list: () => get("/api/domains"),
  add: (body: ProofChoice & { name: string }) => post("/api/domains", { body }),
  domain: (id: string) => get("/api/domains/:id", { params: { id } }),
  change: (id: string, body: DomainSettings) => put("/api/domains/:id", { params: { id }, body }),
  remove: (id: string) => remove("/api/domains/:id", { params: { id } }),
  changeProof: (id: string, body: ProofChoice) => put("/api/domains/:id/proof", { params: { id }, body }),
  check: (id: string) => post("/api/domains/:id/check", { params: { id } }),
  sendCode: (id: string) => post("/api/domains/:id/code", { params: { id } }),
  confirmCode: (id: string, code: string) => post("/api/domains/:id/code/confirm", { params: { id }, body: { code } }),
  sources: (id: string) => get("/api/domains/:id/sources", { params: { id } }),
  askSource: (id: string, source: string) => post("/api/domains/:id/sources/:source", { params: { id, source } }),
  overview: (id: string) => get("/api/domains/:id/overview", { params: { id } }),
  addresses: (id: string, body: AddressFilter & { after?: string | undefined }) =>
    post("/api/domains/:id/addresses/list", { params: { id }, body }),
  address: (id: string, alias: string) => post("/api/domains/:id/addresses/show", { params: { id }, body: { alias } }),
  /** The filtered addresses as CSV. */
  addressFile: (id: string, body: AddressFilter & { language: Language }) =>
    fetchFile("/api/domains/:id/addresses/file", { params: { id }, body }),
  markAddress: (id: string, body: { alias: string; kind: "person" | "alias" }) =>
    put("/api/domains/:id/addresses", { params: { id }, body }),
  startDrill: (id: string) => post("/api/domains/:id/drill", { params: { id } }),
  inspectLink: (token: string) => post("/api/domain-links/inspect", { body: { token } }),
  answerLink: (token: string, say: Say) => post("/api/domain-links/answer", { body: { token, say } }),
  own: () => get("/api/own-domain"),
  answerOwn: (say: Say) => put("/api/own-domain", { body: { say } }),
};

/** Who administers the domain of the account's own address, if anyone does. */
export const ownDomainQuery = queryOptions({ queryKey: ["/api/own-domain"], queryFn: domainsApi.own });
