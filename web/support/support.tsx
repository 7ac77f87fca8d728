import { SupportPage } from "./support_page.tsx";

export default function Support() {
  return <SupportPage kind="ticket" />;
}
