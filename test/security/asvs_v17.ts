import { none, row } from "./asvs_row.ts";

const NO_WEBRTC = none("no WebRTC");

/** WebRTC. */
export const V17 = [
  row("17.1.1", 2, "addresses that a TURN server reaches", NO_WEBRTC),
  row("17.2.1", 2, "the key of DTLS", NO_WEBRTC),
  row("17.2.2", 2, "cipher suites of DTLS", NO_WEBRTC),
  row("17.2.3", 2, "authentication of SRTP", NO_WEBRTC),
  row("17.2.4", 2, "malformed packets", NO_WEBRTC),
  row("17.3.1", 2, "floods of signals", NO_WEBRTC),
  row("17.3.2", 2, "malformed signals", NO_WEBRTC),
];
