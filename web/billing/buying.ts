import { useQueryClient } from "@tanstack/react-query";
import type { ChangeInput } from "../../src/billing/inputs.ts";
import { isApiError } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useExternalRedirect } from "../app/external_redirect.ts";
import { useLanguage } from "../app/i18n.tsx";
import { newKey } from "../forms/idempotency_key.ts";
import type { Billing } from "./choice.ts";

export type Wanted = Pick<ChangeInput, "plan" | "quantity"> & Billing;

/** Returns a function that refetches everything that depends on the plan. */
export function useRefreshPlan() {
  const queryClient = useQueryClient();
  const paths = ["/api/subscription", "/api/associations", "/api/orders"];
  return () => Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
}

/** Redirects to the payment page for a plan. */
export function useCheckout() {
  const refresh = useRefreshPlan();
  const language = useLanguage();
  return useExternalRedirect<Wanted>({
    async ask(wanted) {
      try {
        return await post("/api/checkout", { body: { ...wanted, language, click: newKey() } });
      } catch (error) {
        // Bought in another tab: this page is outdated.
        if (isApiError(error) && error.code === "ALREADY_SUBSCRIBED") void refresh();
        throw error;
      }
    },
    failureTitle: "plans.checkout_failed",
  });
}
