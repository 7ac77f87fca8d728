import { CHANNELS, type Channel } from "../../shared/contacts.ts";

const AT_ONCE = 5;
/** Concurrency limit for mails, while each is quick: mails of one tick share their transactions. */
const MOST_MAILS = 200;
const QUICK_MS = 1000;
/** Pause after a claim that found less than it had room for, so that new deliveries are batched. */
const REST_MS = 50;
/** The pause of queues that are mostly empty. */
const LONG_REST_MS = 250;

/** The priority of log-in codes. */
export const CODES = 0;

/** Channels with a common concurrency limit, so that a hanging one does not block the other queues. */
export type Queue = {
  channels: Channel[];
  /** The lowest priority that it sends; undefined: all. */
  lowestPriority: number | undefined;
  /** The current concurrency limit. */
  width: number;
  most: number;
  running: number;
  restMs: number;
  /** Set after a claim that emptied the queue, until its pause ends. */
  rest: ReturnType<typeof setTimeout> | undefined;
  /** Something may have become due: claim as soon as there is room. */
  asked: boolean;
};

function queueOf(channels: Channel[], most: number, restMs: number, lowestPriority?: number): Queue {
  return { channels, lowestPriority, most, width: AT_ONCE, running: 0, restMs, rest: undefined, asked: false };
}

/**
 * A wide queue claims a large batch once a quarter of its slots is free: with half, the mail server was idle until the next were
 * prepared.
 */
export function hasRoom({ width, running, rest, asked }: Queue): boolean {
  return rest === undefined && width - running > (asked ? 0 : (width - AT_ONCE) / 4);
}

/**
 * Separate queues, so that a hanging channel does not block mails, and the other way round; and one for codes alone, which are
 * claimed even while a slow mail server holds all other mails up.
 */
export function newQueues(): Queue[] {
  const others = CHANNELS.filter((channel) => channel !== "email");
  return [
    queueOf(["email"], AT_ONCE, REST_MS, CODES),
    queueOf(["email"], MOST_MAILS, REST_MS),
    queueOf(others, AT_ONCE, LONG_REST_MS),
  ];
}

/**
 * After a crash few deliveries run at once, as one of them may crash this worker too and make the others wait for their leases.
 */
export function narrow(queues: Queue[]): void {
  for (const queue of queues) queue.width = AT_ONCE;
}

/** Ends the queue's pause early. */
export function endRest(queue: Queue): void {
  clearTimeout(queue.rest);
  queue.rest = undefined;
}

/** One more slot after each quick delivery, one less after each slow one. */
export function adapt(queue: Queue, tookMs: number): void {
  const width = queue.width + (tookMs <= QUICK_MS ? 1 : -1);
  queue.width = Math.min(queue.most, Math.max(AT_ONCE, width));
}
