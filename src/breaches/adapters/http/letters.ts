import { Hono } from "hono";
import * as v from "valibot";
import { json, param, query } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { LANGUAGES } from "../../../shared/language.ts";
import { LETTER_ASKS, LETTER_COUNTRIES } from "../../../shared/letters.ts";
import { ok } from "../../../shared/result.ts";
import { uuid } from "../../../shared/text.ts";
import { answeredInput, letterInput } from "../../inputs.ts";
import type { Breaches } from "../../mod.ts";

const id = v.object({ id: uuid() });
const country = v.object({ country: v.picklist(LETTER_COUNTRIES) });
const contact = {
  name: v.string(),
  address: v.string(),
  email: v.nullable(v.string()),
  webform: v.nullable(v.string()),
  language: v.nullable(v.string()),
};
const facts = v.object({
  address: v.string(),
  service: v.string(),
  breachDate: v.nullable(v.string()),
  companies: v.array(v.object(contact)),
  asOf: v.string(),
});
const letter = v.object({
  id: v.string(),
  alertId: v.string(),
  address: v.string(),
  company: v.string(),
  asks: v.array(v.picklist(LETTER_ASKS)),
  country: v.picklist(LETTER_COUNTRIES),
  language: v.picklist(LANGUAGES),
  sentOn: v.string(),
  dueOn: v.nullable(v.string()),
  answered: v.boolean(),
  overdue: v.boolean(),
});
const authorities = v.object({
  authorities: v.array(v.object({ ...contact, website: v.nullable(v.string()) })),
  asOf: v.string(),
});

/** Letters to companies, which people send themselves. */
export function letterRoutes(breaches: Breaches) {
  return new Hono<HttpEnv>()
    .get(
      "/api/alerts/:id/letter",
      describe("Get what a letter to the company needs", facts),
      fullSession,
      param(id),
      query(v.partial(country)),
      async (c) => {
        const { accountId } = c.get("session");
        return reply(
          c,
          await breaches.showLetterFacts(accountId, c.req.valid("param").id, c.req.valid("query").country),
        );
      },
    )
    .post(
      "/api/alerts/:id/letters",
      describe("Keep the deadline of a letter that was sent", letter),
      fullSession,
      param(id),
      json(letterInput),
      async (c) => {
        const { accountId } = c.get("session");
        return reply(c, await breaches.noteLetter(accountId, c.req.valid("param").id, c.req.valid("json")), 201);
      },
    )
    .get("/api/letters", describe("List letters", v.object({ items: v.array(letter) })), fullSession, async (c) =>
      reply(c, ok({ items: await breaches.listLetters(c.get("session").accountId) })),
    )
    .put(
      "/api/letters/:id/answered",
      describe("Say whether a company has answered"),
      fullSession,
      param(id),
      json(answeredInput),
      async (c) => {
        const { accountId } = c.get("session");
        const { answered } = c.req.valid("json");
        return reply(c, await breaches.answerLetter(accountId, c.req.valid("param").id, answered));
      },
    )
    .delete("/api/letters/:id", describe("Remove a letter from the list"), fullSession, param(id), async (c) =>
      reply(c, await breaches.removeLetter(c.get("session").accountId, c.req.valid("param").id)),
    )
    .get(
      "/api/authorities",
      describe("List a country’s supervisory authorities", authorities),
      fullSession,
      query(country),
      async (c) => reply(c, ok(await breaches.listAuthorities(c.req.valid("query").country))),
    );
}
