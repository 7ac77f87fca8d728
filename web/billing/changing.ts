import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { toast } from "sonner";
import type { ChangeInput } from "../../src/billing/inputs.ts";
import { isApiError } from "../api/api.ts";
import type { PlanPreview } from "../api/billing_api.ts";
import { post } from "../api/call.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { useRefreshPlan } from "./buying.ts";

/** The price shown; `renewed` when it had to be recalculated while the dialog was open. */
type Shown = { preview: PlanPreview; renewed: boolean };

function isOutdated(error: unknown): boolean {
  return isApiError(error) && error.code === "QUOTE_OUTDATED";
}

/** Changes plan, quantity or period: first shows the price, then confirms exactly that quote. */
export function useChange() {
  const text = useText();
  const showError = useShowError("plans.change_failed");
  const refresh = useRefreshPlan();
  const [shown, setShown] = useState<Shown>();
  const [opened, setOpened] = useState(false);
  const isUnderWay = useRef(false);
  const settled = () => {
    isUnderWay.current = false;
  };

  const preview = useMutation({
    mutationFn: ({ plan, period, quantity }: ChangeInput) =>
      post("/api/subscription/preview", { body: { plan, period, quantity } }),
    onSuccess(price) {
      setShown({ preview: price, renewed: opened });
      setOpened(true);
    },
    onError(error) {
      setOpened(false);
      showError(error);
      void refresh();
    },
    onSettled: settled,
  });
  const change = useMutation({
    mutationFn: ({ quote }: PlanPreview) => post("/api/subscription/change", { body: { quote } }),
    async onSuccess(answer) {
      if (answer.state === "payment_needed") return location.assign(answer.url);
      setOpened(false);
      toast.success(text("change.done"));
      await refresh();
    },
    onError: (error, price) => (isOutdated(error) ? preview.mutate(price) : showError(error)),
    onSettled: settled,
  });

  function once(act: () => void) {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    act();
  }
  return {
    shown,
    opened,
    close: () => setOpened(false),
    ask: (wanted: ChangeInput) => once(() => preview.mutate(wanted)),
    confirm: (price: PlanPreview) => once(() => change.mutate(price)),
    asking: preview.isPending && !opened ? preview.variables : undefined,
    confirming: change.isPending || change.data?.state === "payment_needed" || (preview.isPending && opened),
  };
}
