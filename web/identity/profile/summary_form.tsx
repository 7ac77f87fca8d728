import { Radio, Stack, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { SUMMARY_EVERY, type SummaryEvery } from "../../../src/notifications/inputs.ts";
import { put } from "../../api/call.ts";
import { summaryQuery } from "../../api/queries.ts";
import { useShowError } from "../../app/errors.tsx";
import { useText } from "../../app/i18n.tsx";
import { Card } from "../../ui/display/card.tsx";
import { Fetched } from "../../ui/display/fetched.tsx";
import classes from "./profile.module.css";

/** How often a summary is sent, saved immediately. */
export function SummaryForm() {
  const text = useText();
  const query = useQuery(summaryQuery);
  return (
    <Card>
      <div className={classes.form}>
        <Title order={2}>{text("edit.summary_title")}</Title>
        <Fetched query={query} failureTitle={text("profile.load_failed")} height={96}>
          {({ every }) => <Every every={every} />}
        </Fetched>
      </div>
    </Card>
  );
}

const NEVER = "never";

function Every({ every }: { every: SummaryEvery | null }) {
  const text = useText();
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (every: SummaryEvery | null) => put("/api/profile/summary", { body: { every } }),
    onSuccess: (answer) => {
      queryClient.setQueryData(summaryQuery.queryKey, answer);
      toast.success(text(answer.every ? `edit.summary_on_${answer.every}` : "edit.summary_off"));
    },
    onError: useShowError("edit.summary_failed"),
  });
  return (
    <Radio.Group
      label={text("edit.summary_label")}
      description={text("edit.summary_hint")}
      value={(isPending ? variables : every) ?? NEVER}
      onChange={(value) => !isPending && mutate(SUMMARY_EVERY.find((one) => one === value) ?? null)}
    >
      <Stack gap={6} mt={8}>
        {[NEVER, ...SUMMARY_EVERY].map((value) => (
          <Radio key={value} value={value} label={text(`edit.summary_${value as SummaryEvery | typeof NEVER}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
