import { allOperations } from "../../src/http/operations.ts";
import { eventually } from "../e2e/product.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import { count, person, type Target, tracked } from "./target.ts";

/** An address of the sample data. */
const EXPOSED = "ada@example.com";

/** S53: a token with the scope for addresses only reads no findings, anywhere. */
export async function tokenFindings(target: Target): Promise<Finding[]> {
  const alice = await person(target, EXPOSED);
  const added = await alice.call("POST", "/api/associations", { body: tracked(EXPOSED, true, EXPOSED) });
  type Alert = { id: string; breach: { name: string; title: string } };
  const alerts = await eventually("alerts", async () => {
    const items = (await alice.call("GET", "/api/alerts")).data.items as Alert[];
    return items.length >= 3 ? items : undefined;
  });
  const tokenOf = async (scopes: string[]) => {
    const made = await alice.call("POST", "/api/tokens", { body: { name: scopes.join(), scopes, days: 30 } });
    target.secrets.add(String(made.data.token));
    return String(made.data.token);
  };
  const [narrow, both] = [await tokenOf(["addresses:read"]), await tokenOf(["addresses:read", "alerts:read"])];
  const signs = alerts.flatMap(({ id, breach }) => [id, `"${breach.name}"`, `"${breach.title}"`]);
  const tells = (text: string) =>
    signs.some((sign) => text.includes(sign)) ||
    /"(status|state)":"(breached|safe|pending|handled)"|"(pendingAlerts|pending|open|fresh|breaches)":[1-9]/.test(text);
  const paths = new Set(allOperations().map(([route]) => route.split(" ")[1] ?? ""));
  const findings = async (token: string) => {
    const told = [];
    for (const pattern of paths) {
      // A token's burst limit.
      await target.sql`update identity.api_tokens set busy_until = now() where account_id = ${alice.id}`;
      const id = pattern.includes("/alerts/") ? alerts[0]?.id : added.data.id;
      const path = pattern.replaceAll(/:\w+/g, String(id));
      for (const query of ["", `?child_email=${EXPOSED}`, "?status=breached", "?sort=status"]) {
        const program = target.browser();
        const { text, status } = await program.call("GET", path + query, {
          headers: { Authorization: `Bearer ${token}` },
        });
        if (status === 429) throw new Error("Cannot walk the routes: the token is asked to wait");
        if (tells(text)) told.push(path + query);
      }
    }
    return told;
  };
  const told = await findings(narrow);
  return [
    atMost("S53", `answers with a finding to a token of addresses:read, of ${paths.size * 4} GETs`, told.length, 0),
    atLeast("S53", "answers with findings to one with alerts:read besides", count(await findings(both), Boolean), 5),
  ];
}
