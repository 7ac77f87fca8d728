import "sonner/dist/styles.css";
import "../styles/toasts.css";

/** Re-exports Sonner together with its styles. */
export { Toaster, toast } from "sonner";
