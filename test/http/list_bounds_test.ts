import { describe, expect, test } from "bun:test";
import { memoryGround, worldOn } from "../support/world.ts";

type Schema = {
  type?: string;
  items?: Schema & { enum?: unknown[] };
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: Schema | boolean;
};
type Operation = { operationId: string; responses: Record<string, { content?: Record<string, { schema: Schema }> }> };

/** What limits each list of each response. Lists of values from a fixed set need no entry. */
const BOUNDS: [pattern: RegExp, bound: string][] = [
  // Paginated.
  [/^list(Addresses|SentInvitations|AccessRequests|GrantsHeld|GrantsGiven|Alerts|Contacts|Tickets)\.items$/, "a page"],
  [/^previewDeletion\.watchedBy\.items$/, "the first page of those who may check the address"],
  [/^getNews\.items$/, "the newest of the bell"],
  [/^listOrders\.items$/, "the latest orders, by a limit of the query"],
  [/^listActivity\.events$/, "the latest, by a limit of the query"],
  // Limits per account.
  [/^listSessions\.sessions$/, "20 sessions of an account; the oldest goes"],
  [/^listFactors\.passkeys$/, "TOO_MANY_PASSKEYS"],
  [/^listTokens\.items$/, "TOO_MANY_TOKENS"],
  [/^listProviders\.links$/, "one for each provider"],
  [/^(listProviders\.available|getInstance\.providers)$/, "three well-known providers and three of the operator's"],
  [/\.recoveryCodes$/, "ten are made at a time"],
  [/\.(defaultContacts|contacts)\.\w+$/, "10 of a channel"],
  [/^getDashboard\.\w+\.items$/, "25 a page"],
  [/^(listAddresses|getDashboard\.tracked)\.items\[\]\.contacts$/, "10 of a channel, of five channels"],
  [/\.settings\.devices$/, "what Pushover says of one key"],
  [/(^listContacts\.items\[\]|^\w+)\.usedBy$/, "the first 20"],
  [/^listContacts\.reach\.(dead|unanswered)$/, "the first 5"],
  [/^\w+Tickets?\.messages$|^sendFeedback\.messages$/, "CONVERSATION_FULL"],
  // As long as the request.
  [/^previewAddresses\.lines$/, "as many as were sent, at most 1,000"],
  [/^(handle|reopen)Alerts\.(changed|conflicts)$/, "as many as were sent; TOO_MANY_ALERTS"],
  [/^(send|list)Tests\.items$/, "as many as were asked for, at most 20"],
  // About one item.
  [/^listAlertDeliveries\.items$/, "one for each contact of one address, and its tries"],
  [/^(getConsentRecord\.entries|inspectInvitationLink\.record)$/, "the answers to one request, which a person gave"],
  [/^listDomains\.items$/, "MOST_DOMAINS"],
  [/^listDomainSources\.items$/, "the sources that this installation asks"],
  [/^listDomainAddresses\.items$/, "a page"],
  [/^getDomainOverview\.administrators$/, "who has proven the same domain"],
  [/^getDomainOverview\.(breaches|years)$/, "the breaches that sources list"],
  [/^getDomainAddress\.(breaches|sites)$/, "what was found of one address"],
  [/^(inspectDomainLink|getOwnDomain\.view)\.administrators$/, "who has proven the same domain"],
  [/^(inspectDomainLink|getOwnDomain\.view)\.(breaches|sites)$/, "what was found of one address"],
  [/^(inspectDomainLink|getOwnDomain\.view)\.looks$/, "the latest 100"],
  [/^listAliases\.items$/, "TOO_MANY_ALIASES"],
  [/\.foundUnder$/, "the address and its aliases: TOO_MANY_ALIASES"],
  [/^listLetters\.items$/, "TOO_MANY_LETTERS"],
  [/^getLetterFacts\.companies$/, "the first 5"],
  [/^listAuthorities\.authorities$/, "the authorities of one country"],
  [/^(getMonitoring|inspectInvitationLink)\.told$/, "the sources that this installation asks, in two forms"],
  [/^getMonitoring\.findings$/, "the breaches of one address"],
  [/\.(dataClasses|addedClasses|removedClasses)$/, "the data categories of a breach, as its source lists them"],
  [/\.sources$/, "the sources that this installation asks"],
  [/\.steps$/, "the advised steps"],
  [/^getAlert\.changes$/, "the changes of one breach"],
  // About the account's alerts as a whole.
  [/^listAlertFacets\.addresses$/, "the 500 with the most alerts"],
  [/^listAlertFacets\.(categories|flags)$/, "the categories and flags that breaches have"],
  [/^getAlertFigures\.(groups|years)$/, "the groups of data, and the years since the first breach"],
  // About the installation.
  [/^listPlans\.plans(\[\]\.prices)?$/, "three plans in four currencies"],
  [/^getServiceStatus\.(sources|channels)$/, "the sources and channels of this installation"],
  [/^getServiceStatus\..*\bdays$/, "90 days"],
  [/^getServiceStatus\.incidents(\[\]\.updates)?$/, "what the staff wrote in 90 days"],
  [/^(get|ask)Traces\.(pastes|sites)$/, "1,000 of an answer are kept"],
  [/^getInstance\.(exampleAddresses|sources|registration\.domains)$/, "what the installation was set up with"],
];

function arraysOf(schema: Schema, at: string): string[] {
  if (schema.type === "array") return [...(schema.items?.enum ? [] : [at]), ...arraysOf(schema.items ?? {}, `${at}[]`)];
  const parts = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => arraysOf(part, `${at}.${name}`));
  const more = typeof schema.additionalProperties === "object" ? arraysOf(schema.additionalProperties, `${at}.*`) : [];
  return [...parts, ...more, ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) => arraysOf(one, at))];
}

describe("The lists in responses", () => {
  test("each have a documented limit", async () => {
    const answer = await worldOn(memoryGround()).app.request("/api/openapi.json");
    const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Operation>> };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const lists = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Number(status) < 300 ? Object.values(content).flatMap(({ schema }) => arraysOf(schema, operationId)) : [],
      ),
    );
    expect(lists.length).toBeGreaterThan(90);
    expect(lists.filter((list) => !BOUNDS.some(([pattern]) => pattern.test(list)))).toEqual([]);
    expect(BOUNDS.filter(([pattern]) => !lists.some((list) => pattern.test(list))).map(([, bound]) => bound)).toEqual(
      [],
    );
  });

  test("are detected if they have no limit", () => {
    const schema = { type: "object", properties: { items: { type: "array", items: { type: "string" } } } };
    expect(arraysOf(schema, "listThings")).toEqual(["listThings.items"]);
    expect(BOUNDS.some(([pattern]) => pattern.test("listThings.items"))).toBe(false);
  });
});
