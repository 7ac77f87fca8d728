import { SupportPage } from "./support_page.tsx";

export default function Suggestions() {
  return <SupportPage kind="feedback" />;
}
