import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AlertDetails } from "../api/api.ts";
import { put } from "../api/call.ts";
import { useShowError } from "../app/errors.tsx";
import { alertQuery } from "./queries.ts";

type Tick = { step: string; done: boolean };

/** The ticked steps of an alert, with an optimistic update that is rolled back on failure. */
export function useStepMutations({ id, steps }: Pick<AlertDetails, "id" | "steps">) {
  const queryClient = useQueryClient();
  const showError = useShowError("alert.steps_failed");
  const [saving, setSaving] = useState<ReadonlyMap<string, boolean>>(new Map());
  const { mutate } = useMutation({
    mutationFn: (tick: Tick) => put("/api/alerts/:id/steps", { params: { id }, body: tick }),
    onError: showError,
    onSettled: async (_answer, _error, { step, done }) => {
      await queryClient.invalidateQueries(alertQuery(id));
      // If the step was changed again meanwhile, the later value is still being saved.
      setSaving((before) => (before.get(step) === done ? without(before, step) : before));
    },
  });
  function tick(step: string, done: boolean) {
    setSaving((before) => new Map(before).set(step, done));
    mutate({ step, done });
  }
  const shown = new Map([...steps.map((step) => [step, true] as const), ...saving]);
  return { ticked: [...shown].flatMap(([step, done]) => (done ? step : [])), tick };
}

function without(saving: ReadonlyMap<string, boolean>, step: string): ReadonlyMap<string, boolean> {
  return new Map([...saving].filter(([other]) => other !== step));
}
