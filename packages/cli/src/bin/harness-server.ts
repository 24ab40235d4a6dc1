#!/usr/bin/env node
import { start } from "./start.ts";

await start("harness-server", ["serve", ...process.argv.slice(2)]);
