import { isDatabaseUnavailable } from "../database/errors.ts";
import { describeError } from "../runtime/log.ts";
import { type Answer, cancelled, failed, unreachable } from "./answer.ts";
import type { AnyCommand, Given } from "./command.ts";

const CANCELLED = cancelled("Cancelled");

/** Maps a thrown error to an answer, without the parameters of queries. */
export function answerOf(error: unknown): Answer {
  const message = String(describeError(error).error);
  return isDatabaseUnavailable(error) ? unreachable("DATABASE_UNREACHABLE", message) : failed("FAILED", message);
}

/** Runs a command in its context; every error becomes an answer. */
export async function perform(command: AnyCommand, given: Given, room: { signal: AbortSignal }): Promise<Answer> {
  try {
    const answer = (await command.run(room, given)) as Answer;
    return room.signal.aborted && answer.code !== 0 ? CANCELLED : answer;
  } catch (error) {
    return room.signal.aborted ? CANCELLED : answerOf(error);
  }
}
