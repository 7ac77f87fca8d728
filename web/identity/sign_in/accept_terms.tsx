import { Anchor, Button, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { TERMS, TERMS_PATHS } from "../../../src/shared/terms.ts";
import type { Me } from "../../api/api.ts";
import { post } from "../../api/call.ts";
import { meQuery } from "../../api/queries.ts";
import { useShowError } from "../../app/errors.tsx";
import { useText } from "../../app/i18n.tsx";
import { safeReturn } from "../../app/session.ts";
import { isAsked } from "../../app/terms_status.ts";
import { useLogout } from "../../app/use_logout.ts";
import { DialogStack } from "../../ui/dialog/confirmation.tsx";
import { Card } from "../../ui/display/card.tsx";
import { Fetched } from "../../ui/display/fetched.tsx";
import { useFormatDate } from "../../ui/display/format_date.ts";
import { NewTab } from "../../ui/display/links.tsx";
import { PageHead } from "../../ui/frame/page_head.tsx";
import { YourData } from "../profile/your_data.tsx";
import classes from "./accept_terms.module.css";
import { useProvidersOnly } from "./providers_only.tsx";

const CHANGES = [
  "acceptance.change_5",
  "acceptance.change_4",
  "acceptance.change_1",
  "acceptance.change_2",
  "acceptance.change_3",
] as const;

/**
 * Asks the user to accept the terms in force. The service continues to work without an answer; a user who declines can
 * export the data and delete the account.
 */
export default function AcceptTerms() {
  const text = useText();
  const query = useQuery(meQuery);
  return (
    <DialogStack>
      <div className={classes.page}>
        <PageHead title={text(query.data?.terms.accepted === null ? "acceptance.first" : "acceptance.title")} />
        <Fetched query={query} failureTitle={text("profile.load_failed")} height={320}>
          {(me) => <Question me={me} />}
        </Fetched>
      </div>
    </DialogStack>
  );
}

/** The page that was open before the question. */
function usePreviousPage(): string {
  const { lang } = useParams();
  const { from = null } = (useLocation().state ?? {}) as { from?: string };
  return safeReturn(from, location.origin) ?? `/${lang}/dashboard`;
}

function Question({ me }: { me: Me }) {
  const text = useText();
  const wayOn = usePreviousPage();
  const { accept, pending } = useAcceptance(wayOn);
  const logout = useLogout();
  // Registration asks everyone else.
  const isNew = useProvidersOnly() && me.terms.accepted === null;
  const lead = isNew ? "acceptance.lead_new" : "acceptance.lead_first";
  if (!isAsked(me)) return <AlreadyAccepted wayOn={wayOn} />;
  return (
    <>
      <Card>
        <Text>{text(me.terms.accepted === null ? lead : "acceptance.lead")}</Text>
        {!isNew && <Changes />}
        <div className={classes.texts}>
          <NewTab page={TERMS_PATHS.terms}>{text("acceptance.read_terms")}</NewTab>
          <NewTab page={TERMS_PATHS.privacy}>{text("acceptance.read_privacy")}</NewTab>
        </div>
        <div className={classes.answers}>
          <Button size="md" loading={pending} onClick={accept}>
            {text("acceptance.accept")}
          </Button>
          <Button size="md" variant="default" onClick={logout}>
            {text("acceptance.logout")}
          </Button>
        </div>
      </Card>
      <Title order={2} mt="xl" mb="sm">
        {text("acceptance.otherwise")}
      </Title>
      <YourData />
    </>
  );
}

function AlreadyAccepted({ wayOn }: { wayOn: string }) {
  const text = useText();
  return (
    <Card>
      <Text mb="sm">{text("acceptance.done")}</Text>
      <Anchor component={Link} to={wayOn} fw={600}>
        {text("acceptance.go_on")}
      </Anchor>
    </Card>
  );
}

/** The changes in the version in force, with its date. */
function Changes() {
  const text = useText();
  const formatDate = useFormatDate();
  const date = formatDate(TERMS.since, { dateStyle: "long", timeZone: "UTC" });
  return (
    <>
      <Title order={2} mt="lg">
        {text("acceptance.changes")}
      </Title>
      <Text c="dimmed" size="sm" mt={4}>
        {text("acceptance.version", { version: TERMS.version, date })}
      </Text>
      <ul className={classes.changes}>
        {CHANGES.map((change) => (
          <li key={change}>{text(change)}</li>
        ))}
      </ul>
    </>
  );
}

function useAcceptance(wayOn: string) {
  const text = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    // Sends the version that this page shows, which may be older than the server's.
    mutationFn: () => post("/api/terms/accept", { body: { version: TERMS.version } }),
    onSuccess: (terms) => {
      queryClient.setQueryData(meQuery.queryKey, (me) => me && { ...me, terms });
      toast.success(text("acceptance.done"));
      return navigate(wayOn, { replace: true });
    },
    onError: useShowError("acceptance.failed"),
  });
  return { accept: () => mutate(), pending: isPending };
}
