import { Stripe } from "stripe";
import * as v from "valibot";
import type { GatewayAnswer, GatewayFailure } from "../../gateway_ports.ts";

export type OnTrouble = (reason: string) => void;

const failure = (reason: GatewayFailure["reason"]): GatewayFailure => ({ ok: false, reason });

/** Only the kind of error is reported, as Stripe's messages quote the request. */
function failureOf(error: InstanceType<typeof Stripe.errors.StripeError>, onTrouble: OnTrouble): GatewayFailure {
  const { type, code, param, statusCode } = error;
  if (error instanceof Stripe.errors.StripeInvalidRequestError && code === "resource_missing")
    return failure("missing");
  if (error instanceof Stripe.errors.StripeCardError) return failure("refused");
  onTrouble([type, code, param, statusCode].filter((part) => part !== undefined).join(" "));
  const isRefusal =
    error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeIdempotencyError;
  return failure(isRefusal ? "refused" : "unavailable");
}

/** Wraps one or more calls and maps their errors. An unexpected response counts as unavailable. */
export function caller(onTrouble: OnTrouble) {
  return async function call<Value>(work: () => Promise<GatewayAnswer<Value>>): Promise<GatewayAnswer<Value>> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError) return failureOf(error, onTrouble);
      if (!v.isValiError(error)) throw error;
      const places = error.issues.map((issue) => v.getDotPath(issue) ?? "all of it").slice(0, 3);
      onTrouble(`an answer was not understood: ${places.join(", ")}`);
      return failure("unavailable");
    }
  };
}
