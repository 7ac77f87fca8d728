import { AsyncLocalStorage } from "node:async_hooks";
import { bindCallers, type Caller } from "../shared/callers.ts";
import { refuseInside } from "./guard.ts";
import { inBackground, isInBackground } from "./priority_queue.ts";
import { sharingWait, type Wait, waitHere } from "./request_deadline.ts";

/** The context at start-up, before any request or job. */
const asNobody = AsyncLocalStorage.snapshot();

const waits = new WeakMap<Caller, Wait>();

/** Runs `work` detached from the request or job that caused it: it inherits no priority, deadline or trace. */
export function detached<T>(work: () => T): T {
  return asNobody(work);
}

bindCallers({
  here() {
    refuseInside();
    const caller = { isBackground: isInBackground() };
    const wait = waitHere();
    if (wait) waits.set(caller, wait);
    return caller;
  },
  onBehalfOf(callers, work) {
    const isBackground = callers.length > 0 && callers.every((caller) => caller.isBackground);
    const shared = callers.map((caller) => waits.get(caller));
    return detached(() => sharingWait(shared, () => (isBackground ? inBackground(work) : work())));
  },
});
