import type { Alias } from "../../web/api/api.ts";
import { ago, DAY } from "./fake_alerts.ts";

/** The fake server's aliases. */
export type AliasScene = { aliases: Alias[] };

export function aliases(): Alias[] {
  const same = { createdAt: ago(3 * DAY), expiresAt: null };
  return [
    { ...same, id: "s1", address: "alice.archer+shop@example.com", origin: "rule", state: "active" },
    {
      ...same,
      id: "s2",
      address: "a.very.long.alias.that.needs.a.great.deal.of.room.x7k2@aliases.of-a-service.example",
      origin: "simplelogin",
      state: "active",
    },
    { ...same, id: "s3", address: "news@alias.example", origin: "list", state: "pending", expiresAt: ago(-5 * DAY) },
    { ...same, id: "s4", address: "games@alias.example", origin: "list", state: "pending" },
  ];
}

/** The response to a call about aliases, with its changes stored in the scene; undefined for any other call. */
export function answerAliases(stage: AliasScene, { call, sent }: { call: string; sent: unknown }): unknown {
  const [, id = ""] = /\/aliases\/(s\d)$/.exec(call) ?? [];
  if (/^GET \/api\/associations\/\w+\/aliases$/.test(call)) return { items: stage.aliases };
  if (/^POST \/api\/associations\/\w+\/aliases\/import$/.test(call)) {
    const { from, text = "" } = sent as { from: string; text?: string };
    const state = from === "text" ? "pending" : "active";
    const added: Alias = {
      ...(stage.aliases[0] ?? (aliases()[0] as Alias)),
      id: "s9",
      address: "added@alias.example",
      state,
    };
    stage.aliases = [...stage.aliases, added];
    return {
      active: state === "active" ? 1 : 0,
      pending: state === "pending" ? 1 : 0,
      known: 0,
      bad: /^[^@]+$/m.test(text) ? 1 : 0,
    };
  }
  if (call === "POST /api/aliases/inspect")
    return { address: "news@alias.example", account: { name: "Alice Archer", email: "a…@example.com" } };
  if (call === "POST /api/aliases/confirm") return {};
  if (id === "" || !call.startsWith("DELETE")) return undefined;
  stage.aliases = stage.aliases.filter((one) => one.id !== id);
  return {};
}
