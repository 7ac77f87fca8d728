import { PASSWORD } from "../e2e/api.ts";
import { atMost, type Finding } from "../faults/bench.ts";
import type { Size } from "./goal.ts";
import { type Answer, count, register, type Target } from "./target.ts";

const WRONG = "Wr0ng-Harbour-42";
const PEOPLE = Array.from({ length: 15 }, (_, at) => `s49-${at}@example.net`);
const TRIES = 20;

/** S49: correct passwords lock nobody out, and do not allow more guesses. */
export async function rightPasswords(target: Target, { long }: Size): Promise<Finding[]> {
  for (const email of PEOPLE) await register(target, email);
  /** Many users behind one network address, each with an unknown device. */
  const network = () => {
    const { ip } = target.browser();
    return (at: number, password: string): Promise<Answer> => {
      const sent = { body: { email: PEOPLE[at % PEOPLE.length], password }, headers: { "X-Forwarded-For": ip } };
      return target.browser().call("POST", "/api/login", { ...sent, process: at });
    };
  };
  /** Retries when told to, as the page does. */
  const patiently = async (act: () => Promise<Answer>): Promise<Answer> => {
    for (let tried = 1; ; tried++) {
      const answer = await act();
      if (answer.code !== "BUSY" || tried === TRIES) return answer;
      await Bun.sleep(1000 * Math.min(2, Number(answer.headers.get("Retry-After"))) * Math.random());
    }
  };
  /** According to the accounts' audit log, not to the responses. */
  const evaluated = async () => {
    const [row] = await target.sql`select count(*)::int as count from identity.audit_events a
      join identity.users u on u.id = a.account_id where u.email like 's49-%' and a.event in ('password_wrong', 'locked')`;
    return Number(row?.count);
  };

  const office = network();
  const answers = await Promise.all(PEOPLE.map((_, at) => patiently(() => office(at, PASSWORD))));
  answers.push(await office(0, PASSWORD));

  const guesser = network();
  const guesses = long ? 200 : 60;
  await Promise.all(Array.from({ length: guesses }, (_, at) => guesser(at, WRONG)));
  const atOnce = await evaluated();
  // Those that got no slot use up what is left.
  for (let at = 0; at < 12; at++) await guesser(at, WRONG);
  const inAll = await evaluated();
  const shut = await guesser(0, PASSWORD);

  const buyer = network();
  for (let at = 1; at <= 24; at++) {
    await buyer(at, WRONG);
    await patiently(() => buyer(0, PASSWORD));
  }
  const bought = (await evaluated()) - inAll;
  return [
    atMost(
      "S49",
      `right passwords of one network that do not get in, of ${PEOPLE.length} at once on two processes`,
      count(answers, ({ status }) => status !== 200),
      0,
    ),
    atMost("S49", `wrong ones of one network that are evaluated, of ${guesses} at once`, atOnce, 10),
    atMost("S49", "wrong ones more or less than ten that shut it in all", Math.abs(inAll - 10), 0),
    atMost("S49", "right ones that get in from there afterwards", Number(shut.code !== "LOCKED"), 0),
    atMost("S49", "wrong ones that are evaluated with a success after each", bought, 10),
  ];
}
