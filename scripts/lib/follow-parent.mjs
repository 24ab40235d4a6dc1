// Preloaded into a job: ends it when the process that started it is gone, however that one ended.
// The parent holds the other end of descriptor 3, which closes with it.
import { Socket } from "node:net";
import { isMainThread } from "node:worker_threads";

const GRACE_MS = 15_000;

// A preload is handed on to workers and forks as well; only the job itself has this parent and this descriptor.
if (isMainThread && process.env.COMPUTERAGENT_PARENT_PID === String(process.ppid)) {
  const line = new Socket({ fd: 3, readable: true, writable: false });
  line.on("error", () => {});
  line.once("close", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.kill(process.pid, "SIGKILL"), GRACE_MS).unref();
  });
  line.resume();
  line.unref();
}
delete process.env.COMPUTERAGENT_PARENT_PID;
