/** Reading scenarios from YAML: apart, as its parser is large and most hosts read none. */
export { loadScenarios, ScenarioError, type ScenarioProblem } from "./offline/scenario/load.ts";
