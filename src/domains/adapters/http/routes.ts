import { Hono } from "hono";
import * as v from "valibot";
import { json, param } from "../../../http/body.ts";
import { breachFacts } from "../../../http/breach_facts.ts";
import { replyCsv } from "../../../http/csv_file.ts";
import { describe } from "../../../http/describe.ts";
import { reply, replyFailure } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { LANGUAGES } from "../../../shared/language.ts";
import { text, uuid } from "../../../shared/text.ts";
import { DIGESTS, DOMAIN_STATES, PROOFS } from "../../domain.ts";
import { MAILBOX_KINDS, SAYS } from "../../finding.ts";
import {
  addressPageInput,
  aliasInput,
  domainCodeInput,
  domainFileInput,
  domainInput,
  domainLinkInput,
  domainSettingsInput,
  linkSayInput,
  markInput,
  proofInput,
  sayInput,
} from "../../inputs.ts";
import type { Domains } from "../../mod.ts";
import { LOOK_KINDS } from "../../ports.ts";

const nothing = v.strictObject({});
const id = v.object({ id: uuid() });
const idAndSource = v.object({ id: uuid(), source: text(40) });

const instant = v.nullable(v.string());
const limit = v.nullable(v.number());
const person = v.object({ name: v.string(), email: v.string() });
const domain = v.object({
  id: v.string(),
  name: v.string(),
  proof: v.picklist(PROOFS),
  state: v.picklist(DOMAIN_STATES),
  mailbox: v.nullable(v.string()),
  record: v.nullable(v.object({ value: v.string(), token: v.string() })),
  codeSent: v.boolean(),
  createdAt: v.string(),
  seenAt: instant,
  provenAt: instant,
  effectiveAt: instant,
  failingSince: instant,
  coverage: v.picklist(["covered", "suspended"]),
  catchAll: v.boolean(),
  roleSensitive: v.boolean(),
  digest: v.picklist(DIGESTS),
  tellPeople: v.boolean(),
  language: v.picklist(LANGUAGES),
});
const domainList = v.object({
  items: v.array(domain),
  allowance: v.object({ active: v.boolean(), domains: limit, addresses: limit }),
});
const state = v.object({ state: v.picklist(DOMAIN_STATES) });
const check = v.object({ ...state.entries, found: v.boolean(), reason: v.nullable(v.string()) });
const sourceList = v.object({
  items: v.array(
    v.object({
      source: v.string(),
      state: v.picklist(["unasked", "answered", "unverified", "trouble"]),
      askedAt: instant,
      reason: v.nullable(v.string()),
      record: v.nullable(v.string()),
    }),
  ),
});
const overview = v.object({
  counts: v.object({
    person: v.number(),
    role: v.number(),
    alias: v.number(),
    untold: v.number(),
    withheld: v.number(),
  }),
  limit,
  isCut: v.boolean(),
  administrators: v.array(person),
  breaches: v.array(v.object({ ...breachFacts.entries, addresses: v.number(), latestAt: v.string() })),
  years: v.array(v.object({ year: v.number(), breaches: v.number() })),
});
const address = {
  alias: v.string(),
  kind: v.picklist(MAILBOX_KINDS),
  findings: v.number(),
  taken: v.boolean(),
  allowed: v.boolean(),
};
const addressPage = v.object({ items: v.array(v.object(address)), next: v.nullable(v.string()) });
const found = v.array(v.object({ ...breachFacts.entries, foundAt: v.string() }));
const addressDetail = v.object({
  ...address,
  leaker: v.nullable(v.string()),
  breaches: found,
  sites: v.array(v.string()),
});
const personView = {
  address: v.string(),
  domain: v.string(),
  administrators: v.array(person),
  say: v.picklist(SAYS),
  taken: v.boolean(),
  breaches: found,
  sites: v.array(v.string()),
  looks: v.array(v.object({ at: v.string(), what: v.picklist(LOOK_KINDS), by: v.nullable(person) })),
};

/** Claiming and proving domains. */
function claimRoutes(domains: Domains) {
  return new Hono<HttpEnv>()
    .get("/api/domains", describe("List the account's domains", domainList), fullSession, async (c) =>
      reply(c, await domains.listDomains(c.get("session").accountId)),
    )
    .post(
      "/api/domains",
      describe("Add a domain, to be proven", v.object({ id: v.string() })),
      fullSession,
      json(domainInput),
      async (c) => reply(c, await domains.addDomain(c.get("session").accountId, c.req.valid("json")), 201),
    )
    .get("/api/domains/:id", describe("Get a domain", domain), fullSession, param(id), async (c) =>
      reply(c, await domains.showDomain(c.get("session").accountId, c.req.valid("param").id)),
    )
    .put(
      "/api/domains/:id",
      describe("Change the settings of a domain", nothing),
      fullSession,
      param(id),
      json(domainSettingsInput),
      async (c) => {
        const { accountId } = c.get("session");
        return reply(c, await domains.changeDomain(accountId, c.req.valid("param").id, c.req.valid("json")));
      },
    )
    .delete("/api/domains/:id", describe("Remove a domain", nothing), fullSession, param(id), async (c) =>
      reply(c, await domains.removeDomain(c.get("session").accountId, c.req.valid("param").id)),
    )
    .put(
      "/api/domains/:id/proof",
      describe("Prove a domain in another way", nothing),
      fullSession,
      param(id),
      json(proofInput),
      async (c) => {
        const { accountId } = c.get("session");
        return reply(c, await domains.changeProof(accountId, c.req.valid("param").id, c.req.valid("json")));
      },
    )
    .post(
      "/api/domains/:id/check",
      describe("Look for the proof now", check),
      fullSession,
      param(id),
      json(nothing),
      async (c) => reply(c, await domains.checkDomain(c.get("session").accountId, c.req.valid("param").id)),
    )
    .post(
      "/api/domains/:id/code",
      describe("Send the code to the domain's mailbox", nothing),
      fullSession,
      param(id),
      json(nothing),
      async (c) => reply(c, await domains.sendDomainCode(c.get("session").accountId, c.req.valid("param").id)),
    )
    .post(
      "/api/domains/:id/code/confirm",
      describe("Prove the domain with the code", state),
      fullSession,
      param(id),
      json(domainCodeInput),
      async (c) => {
        const { accountId } = c.get("session");
        return reply(c, await domains.enterDomainCode(accountId, c.req.valid("param").id, c.req.valid("json").code));
      },
    );
}

/** What was found at a domain. */
function findingRoutes(domains: Domains) {
  return (
    new Hono<HttpEnv>()
      .get(
        "/api/domains/:id/sources",
        describe("List how far each source knows a domain", sourceList),
        fullSession,
        param(id),
        async (c) => reply(c, await domains.sourcesOf(c.get("session").accountId, c.req.valid("param").id)),
      )
      .post(
        "/api/domains/:id/sources/:source",
        describe("Ask a source again about a domain", nothing),
        fullSession,
        param(idAndSource),
        json(nothing),
        async (c) => {
          const { id: domainId, source } = c.req.valid("param");
          return reply(c, await domains.askSourceAgain(c.get("session").accountId, domainId, source));
        },
      )
      .get(
        "/api/domains/:id/overview",
        describe("Get the counts and breaches of a domain", overview),
        fullSession,
        param(id),
        async (c) => reply(c, await domains.showOverview(c.get("session").accountId, c.req.valid("param").id)),
      )
      // Reading addresses is noted for their people, so it is no GET; and no address stands in a URL.
      .post(
        "/api/domains/:id/addresses/list",
        describe("List the found addresses of a domain", addressPage),
        fullSession,
        param(id),
        json(addressPageInput),
        async (c) => {
          const { accountId } = c.get("session");
          const { kind, breach, after, search } = c.req.valid("json");
          const asked = { kind, breach, after, search };
          return reply(c, await domains.listDomainAddresses(accountId, c.req.valid("param").id, asked));
        },
      )
      .post(
        "/api/domains/:id/addresses/file",
        describe("Export the found addresses of a domain as CSV"),
        fullSession,
        param(id),
        json(domainFileInput),
        async (c) => {
          const { language, kind, breach, search } = c.req.valid("json");
          const asked = { filter: { kind, breach, search }, language };
          const file = await domains.exportDomain(c.get("session").accountId, c.req.valid("param").id, asked);
          return file.ok ? replyCsv(c, file.value) : replyFailure(c, file);
        },
      )
      .post(
        "/api/domains/:id/addresses/show",
        describe("Get a found address with its findings", addressDetail),
        fullSession,
        param(id),
        json(aliasInput),
        async (c) => {
          const { accountId } = c.get("session");
          return reply(
            c,
            await domains.showDomainAddress(accountId, c.req.valid("param").id, c.req.valid("json").alias),
          );
        },
      )
      .put(
        "/api/domains/:id/addresses",
        describe("Say whether an address belongs to a person or is an alias", nothing),
        fullSession,
        param(id),
        json(markInput),
        async (c) => {
          const { accountId } = c.get("session");
          return reply(c, await domains.markDomainAddress(accountId, c.req.valid("param").id, c.req.valid("json")));
        },
      )
      .post(
        "/api/domains/:id/drill",
        describe("Send a made-up message about a domain", nothing),
        fullSession,
        param(id),
        json(nothing),
        async (c) => reply(c, await domains.startDomainDrill(c.get("session").accountId, c.req.valid("param").id), 202),
      )
  );
}

/** The say of the people: by a mailed link, whose token is in the body, or with an account for its own address. */
function personRoutes(domains: Domains) {
  return new Hono<HttpEnv>()
    .post(
      "/api/domain-links/inspect",
      describe("Get what a link about one's address at a domain shows", v.object(personView)),
      json(domainLinkInput),
      async (c) => reply(c, await domains.inspectDomainLink(c.req.valid("json").token)),
    )
    .post(
      "/api/domain-links/answer",
      describe("Decide by a link what administrators see", nothing),
      json(linkSayInput),
      async (c) => {
        const { token, say } = c.req.valid("json");
        return reply(c, await domains.answerDomainLink(token, { say }));
      },
    )
    .get(
      "/api/own-domain",
      describe(
        "Get who administers the domain of the account's own address",
        v.object({ view: v.nullable(v.object(personView)) }),
      ),
      fullSession,
      async (c) => reply(c, await domains.showOwnDomain(c.get("session").accountId)),
    )
    .put(
      "/api/own-domain",
      describe("Decide what the administrators of the own address's domain see", nothing),
      fullSession,
      json(sayInput),
      async (c) => reply(c, await domains.answerOwnDomain(c.get("session").accountId, c.req.valid("json"))),
    );
}

export function domainRoutes(domains: Domains) {
  return new Hono<HttpEnv>()
    .route("/", claimRoutes(domains))
    .route("/", findingRoutes(domains))
    .route("/", personRoutes(domains));
}
