import type { Tap } from "../http/write-answer.ts";
import type { UpstreamAnswer } from "../upstream.ts";
import { JsonMeter, type Meter, StreamMeter } from "./meter.ts";
import type { Metered } from "./usage.ts";

function meterFor({ headers }: UpstreamAnswer): Meter {
  return `${headers["content-type"] ?? ""}`.includes("text/event-stream") ? new StreamMeter() : new JsonMeter();
}

/** Watches an answer and reports what it used: once, before its end is sent, and also when it is cut. */
export function meteringTap(answer: UpstreamAnswer, report: (metered: Metered) => void): Tap {
  const meter = meterFor(answer);
  let reported = false;
  const once = (): void => {
    if (reported) return;
    reported = true;
    const metered = meter.read();
    if (metered) report(metered);
  };
  return {
    whole: meter instanceof JsonMeter,
    before(bytes) {
      meter.push(bytes);
      if (meter.final) once();
    },
    end: once,
  };
}
