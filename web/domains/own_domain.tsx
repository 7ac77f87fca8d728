import { IconUserShield } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { put } from "../api/call.ts";
import { ownDomainQuery, type Say } from "../api/domains_api.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import classes from "./person.module.css";
import { Person } from "./person.tsx";

/** The same as by the mailed link, for the account's own verified address. */
export default function OwnDomain() {
  const text = useText();
  const queryClient = useQueryClient();
  const query = useQuery(ownDomainQuery);
  const { mutate, isPending } = useMutation({
    mutationFn: (say: Say) => put("/api/own-domain", { body: { say } }),
    onSuccess: () => toast.success(text("domain_notice.saved")),
    onError: useShowError("domain_notice.save_failed"),
    onSettled: () => void queryClient.invalidateQueries(ownDomainQuery),
  });
  const view = query.data?.view;
  return (
    <Card className={classes.card}>
      {!view && <PageHead title={text("domain_notice.title")} />}
      <Fetched query={query} failureTitle={text("domain_notice.load_failed")} height={720}>
        {() =>
          view ? (
            <Person view={view} pending={isPending} onAnswer={mutate} />
          ) : (
            <EmptyState order={2} icon={IconUserShield} title={text("domain_notice.none")}>
              {text("domain_notice.none_text")}
            </EmptyState>
          )
        }
      </Fetched>
    </Card>
  );
}
