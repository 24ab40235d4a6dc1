#!/usr/bin/env node
import { start } from "./start.ts";

await start("computeragent", process.argv.slice(2));
