import { CHANNELS, type Channel } from "../../shared/contacts.ts";

const AT_ONCE = 5;
/** Of mails, as long as each is done quickly: those of a moment share their transactions. */
const MOST_MAILS = 200;
const QUICK_MS = 1000;
/** After a look that found less than it had places for: what is told of in a moment is taken together. */
const REST_MS = 50;
/** Of what mostly nothing waits in. */
const LONG_REST_MS = 250;

/** Channels that share their places, so that one that hangs takes none from the other queue. */
export type Queue = {
  channels: Channel[];
  /** How many may be under way. */
  width: number;
  most: number;
  running: number;
  restMs: number;
  /** It was looked at a moment ago, and nothing more was due: until this ends. */
  rest: ReturnType<typeof setTimeout> | undefined;
  /** Something may have become due: it is looked at as soon as it has a place. */
  asked: boolean;
};

function queueOf(channels: Channel[], most: number, restMs: number): Queue {
  return { channels, most, width: AT_ONCE, running: 0, restMs, rest: undefined, asked: false };
}

/** Of a wide queue many are taken together, as soon as a quarter of its places is free: with half, the mail server had nothing to do until the next were prepared. */
export function hasRoom({ width, running, rest, asked }: Queue): boolean {
  return rest === undefined && width - running > (asked ? 0 : (width - AT_ONCE) / 4);
}

/** A channel that hangs takes no place from mails, nor they from it. */
export function newQueues(): Queue[] {
  const others = CHANNELS.filter((channel) => channel !== "email");
  return [queueOf(["email"], MOST_MAILS, REST_MS), queueOf(others, AT_ONCE, LONG_REST_MS)];
}

/** What a dead worker left may kill the next one: few are under way with it, which would wait for the end of their lease. */
export function narrow(queues: Queue[]): void {
  for (const queue of queues) queue.width = AT_ONCE;
}

/** Nothing waits for the end of its rest any more. */
export function endRest(queue: Queue): void {
  clearTimeout(queue.rest);
  queue.rest = undefined;
}

/** One more place with each that was done quickly, one less with each that was not. */
export function adapt(queue: Queue, tookMs: number): void {
  const width = queue.width + (tookMs <= QUICK_MS ? 1 : -1);
  queue.width = Math.min(queue.most, Math.max(AT_ONCE, width));
}
