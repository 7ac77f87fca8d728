import { describe, expect, test } from "bun:test";
import type { ConsentScope } from "../../src/shared/consent.ts";
import { memoryGround, settle, worldOn } from "../support/world.ts";
import {
  ALICE,
  ask,
  BOB,
  blockedDora,
  bring,
  type Call,
  CHARLIE,
  consentWorld,
  DORA,
  register,
  STATES,
  type State,
  signIn,
  visitor,
} from "./consent_world.ts";
import { ROWS } from "./matrix.ts";
import { type Cell, type Named, ROLES, type Role, type Row } from "./matrix_answers.ts";

const SCOPES: ConsentScope[] = [false, true].flatMap((details) =>
  [false, true].map((sensitive) => ({ details, sensitive })),
);
const WITHOUT_ANSWER: State[] = ["pending", "declined", "expired", "cancelled"];
/** Without consent there is no scope; otherwise every scope. */
const SITUATIONS = STATES.flatMap((state) =>
  (WITHOUT_ANSWER.includes(state) ? [undefined] : SCOPES).map((scope) => ({ state, scope })),
);
const OF_CONSENT =
  /^\/api\/(associations|aliases|invitations|invitation-links|grants|monitoring|alerts|bell|check-aggiungere-email|check-user-(belong|autorizzato))/;

const rows: [string, Row][] = Object.entries(ROWS).flatMap(([route, list]) =>
  [list].flat().map((row) => [route, row] as [string, Row]),
);

/** A session for each role, with Alice and Bob in this situation. */
async function situation({ state, scope }: { state: State; scope: ConsentScope | undefined }) {
  const one = await consentWorld();
  const { ground, world, manageTokenOf } = one;
  const asked = await ask(one, ALICE);
  const alerts = await bring(one, asked, state, scope ?? { details: false, sensitive: false });
  await register(world, CHARLIE);
  const doras = { ...(await blockedDora(one)), alerts };
  const callers: Record<Role, Call> = {
    nobody: visitor(world),
    inviter: await signIn(world, ALICE),
    "partial session": await signIn(world, ALICE, "partial"),
    "other account": await signIn(world, CHARLIE),
    "watched person": await signIn(world, BOB),
    "answer link": visitor(world),
    "manage link": visitor(world),
    "blocked inviter": await signIn(world, DORA),
  };
  const manage = manageTokenOf(asked.invitationId);
  const forged = `${manage.slice(0, -1)}${manage.endsWith("A") ? "B" : "A"}`;
  const tokens: Partial<Record<Role, string>> = { "answer link": asked.token, "manage link": manage };
  const namedBy = (role: Role): Named => ({
    ...asked,
    alerts,
    ...(role === "blocked inviter" && doras),
    token: tokens[role] ?? forged,
  });
  await settle(world);
  const restore = ground.snapshot();
  return { ground, callers, namedBy, restore, alices: { ...asked, alerts }, doras };
}

/** Data that only roles with access to details may see. */
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const DETAILS = /Adobe|Affairs|777777|2013|Passwords/;

describe("Who may do what", () => {
  test("covers every API call about consent, and no other", async () => {
    const document = await (await worldOn(memoryGround()).app.request("/api/openapi.json")).json();
    const { paths } = document as { paths: Record<string, object> };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      OF_CONSENT.test(path) ? Object.keys(methods).map((method) => `${method} ${path}`) : [],
    );
    expect(Object.keys(ROWS).toSorted()).toEqual(routes.toSorted());
  });

  test.each(SITUATIONS)("%p", async ({ state, scope }) => {
    const { ground, callers, namedBy, restore } = await situation({ state, scope });
    for (const role of ROLES) {
      const cell: Cell = { role, state, scope };
      const named = namedBy(role);
      for (const [route, { send, answer, shows }] of rows) {
        restore();
        const where = `${role}: ${route}`;
        const { path, body } = send(named);
        const [method = ""] = route.split(" ");
        const response = await callers[role](method.toUpperCase(), path, body);
        const text = await response.text();
        const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
        const content = isJson ? JSON.parse(text) : { records: text.trim().split("\r\n").length };
        const code = response.ok ? "" : ` ${content.code}`;
        expect(`${where} → ${response.status}${code}`).toBe(`${where} → ${answer(cell)}`);
        if (response.ok && shows) expect(content, where).toMatchObject(shows(cell, named) as object);
        const seesDetails = role === "watched person" || (role === "inviter" && scope?.details);
        // Digits in an id are not data.
        if (!seesDetails) expect(text.replaceAll(ID, ""), where).not.toMatch(DETAILS);
        if (role !== "watched person" && !scope?.sensitive) expect(text, where).not.toMatch("Affairs");
        // Neither refusals nor reads change anything.
        if (!response.ok || method === "get") expect((await ground.outbox.backlog()).waiting, where).toBe(0);
      }
    }
    expect(ground.errors).toEqual([]);
  });

  test.each(SITUATIONS)("reveals nothing to other accounts and a blocked inviter: %p", async (at) => {
    const { callers, namedBy, restore, alices, doras } = await situation(at);
    const unknown = (): Named => ({
      associationId: crypto.randomUUID(),
      invitationId: crypto.randomUUID(),
      token: "unknown",
      alerts: { Adobe: crypto.randomUUID(), Affairs: crypto.randomUUID() },
    });
    const foreign: [Role, Named][] = [
      ["other account", { ...alices, token: namedBy("other account").token }],
      ["blocked inviter", { ...alices, token: namedBy("other account").token }],
      ["inviter", { ...doras, alerts: unknown().alerts }],
      ["watched person", { ...doras, alerts: alices.alerts }],
    ];
    for (const [role, named] of foreign) {
      for (const [route, { send }] of rows) {
        const call = async (asked: Named) => {
          restore();
          const { path, body } = send(asked);
          const response = await callers[role](route.split(" ")[0]?.toUpperCase() ?? "", path, body);
          const headers = [...response.headers].filter(([name]) => name !== "x-request-id");
          // The response may repeat ids of the request.
          return { route, status: response.status, headers, text: (await response.text()).replaceAll(ID, "id") };
        };
        const [theirs, nobodys] = [await call(named), await call(unknown())];
        // A new resource has a new id.
        if (theirs.status === 201) expect(nobodys.status).toBe(201);
        else expect(theirs).toEqual(nobodys);
      }
    }
  });
});
