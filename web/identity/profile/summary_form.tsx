import { Checkbox, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api } from "../../api/api.ts";
import { summaryQuery } from "../../api/queries.ts";
import { useShowError } from "../../app/errors.tsx";
import { useText } from "../../app/i18n.tsx";
import { Card } from "../../ui/display/card.tsx";
import { Fetched } from "../../ui/display/fetched.tsx";
import classes from "./profile.module.css";

/** The switch for the monthly summary, saved immediately. */
export function SummaryForm() {
  const text = useText();
  const query = useQuery(summaryQuery);
  return (
    <Card>
      <div className={classes.form}>
        <Title order={2}>{text("edit.summary_title")}</Title>
        <Fetched query={query} failureTitle={text("profile.load_failed")} height={64}>
          {({ monthly }) => <Monthly monthly={monthly} />}
        </Fetched>
      </div>
    </Card>
  );
}

function Monthly({ monthly }: { monthly: boolean }) {
  const text = useText();
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: api.changeSummary,
    onSuccess: (answer) => {
      queryClient.setQueryData(summaryQuery.queryKey, answer);
      toast.success(text(answer.monthly ? "edit.summary_on" : "edit.summary_off"));
    },
    onError: useShowError("edit.summary_failed"),
  });
  return (
    <Checkbox
      label={text("edit.summary_label")}
      description={text("edit.summary_hint")}
      checked={isPending ? variables : monthly}
      onChange={({ currentTarget }) => !isPending && mutate(currentTarget.checked)}
    />
  );
}
