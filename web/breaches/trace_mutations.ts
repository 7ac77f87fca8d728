import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Traces } from "../api/api.ts";
import { post, put } from "../api/call.ts";
import { useShowError } from "../app/errors.tsx";
import { tracesQuery } from "./queries.ts";

type Sites = NonNullable<Traces["sites"]>;

/** Asks the source; a refusal, too, tells when it may be asked again. */
export function useAskTraces(address: string) {
  const queryClient = useQueryClient();
  const showError = useShowError("traces.ask_failed");
  return useMutation({
    mutationFn: () => post("/api/monitoring/traces", { body: { address } }),
    onSuccess: (traces) => queryClient.setQueryData(tracesQuery(address).queryKey, traces),
    onError: async (error) => {
      showError(error);
      await queryClient.invalidateQueries(tracesQuery(address));
    },
  });
}

/** The sites with an optimistic update of each, which is rolled back on failure. */
export function useTickSites(address: string, sites: Sites) {
  const queryClient = useQueryClient();
  const showError = useShowError("traces.tick_failed");
  const [saving, setSaving] = useState<ReadonlyMap<string, boolean>>(new Map());
  const { mutate } = useMutation({
    mutationFn: (tick: Sites[number]) => put("/api/monitoring/traces/sites", { body: { address, ...tick } }),
    onError: showError,
    onSettled: async (_answer, _error, { site, done }) => {
      await queryClient.invalidateQueries(tracesQuery(address));
      // If the site was changed again meanwhile, the later value is still being saved.
      setSaving((before) =>
        before.get(site) === done ? new Map([...before].filter(([other]) => other !== site)) : before,
      );
    },
  });
  function tick(site: string, done: boolean) {
    setSaving((before) => new Map(before).set(site, done));
    mutate({ site, done });
  }
  return { shown: sites.map(({ site, done }) => ({ site, done: saving.get(site) ?? done })), tick };
}
