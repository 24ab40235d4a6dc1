/** How bad a finding is: an `error` makes an agent invalid, the others do not. */
export type Severity = "error" | "warning" | "info";

/** How strict a validation is. `lenient` judges as the loader does, `strict` as the published schemas, and more. */
export type Profile = "lenient" | "strict";
