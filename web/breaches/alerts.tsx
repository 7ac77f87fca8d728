import { Button, Group } from "@mantine/core";
import { IconDownload, IconMailForward } from "@tabler/icons-react";
import { Link } from "react-router";
import { csvAddress } from "../api/api.ts";
import { useLanguage, useText } from "../app/i18n.tsx";
import { NAVIGATION } from "../app/navigation.ts";
import { useSearchChanges } from "../ui/display/use_search_changes.ts";
import { PageHead } from "../ui/frame/page_head.tsx";
import { AlertDetails } from "./alert_details.tsx";
import { type AlertView, filterOf, paramsOf, viewOf } from "./alert_filter.ts";
import { AlertFilters } from "./alert_filters.tsx";
import { AlertList } from "./alert_list.tsx";
import { HandlingProvider } from "./handling.tsx";

export default function Alerts() {
  const text = useText();
  const { params, change: changeSearch } = useSearchChanges();
  const view = viewOf(params);
  const show = (change: Partial<AlertView>, replace = true) => {
    changeSearch((current) => paramsOf({ ...viewOf(current), ...change }), { replace, preventScrollReset: true });
  };
  return (
    <HandlingProvider>
      <PageHead title={text("alerts.title")} action={<Actions view={view} />}>
        {text("alerts.lead")}
      </PageHead>
      <section aria-label={text("alerts.list")}>
        <AlertFilters view={view} show={show} />
        <AlertList view={view} show={show} />
      </section>
      <AlertDetails id={view.open} onClose={() => show({ open: undefined })} />
    </HandlingProvider>
  );
}

function Actions({ view }: { view: AlertView }) {
  const text = useText();
  const language = useLanguage();
  return (
    <Group gap="sm">
      <Button
        component="a"
        href={csvAddress(filterOf(view), language)}
        download
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden="true" />}
      >
        {text("alerts.export")}
      </Button>
      <TestAlerts />
      <ToLetters />
    </Group>
  );
}

/** A link to the letters that were sent to companies. */
function ToLetters() {
  const text = useText();
  return (
    <Button
      component={Link}
      to="../letters"
      variant="default"
      leftSection={<IconMailForward size={18} aria-hidden="true" />}
    >
      {text("alerts.letters")}
    </Button>
  );
}

/** A link to the test alerts, if this installation offers them. */
function TestAlerts() {
  const text = useText();
  const page = NAVIGATION.find(({ path }) => path === "test-alerts");
  if (!page) return null;
  const { icon: Mark, label, path } = page;
  return (
    <Button component={Link} to={`../${path}`} variant="light" leftSection={<Mark size={18} aria-hidden="true" />}>
      {text(label)}
    </Button>
  );
}
