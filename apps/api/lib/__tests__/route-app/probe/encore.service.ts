/** A service whose endpoints end in every way that publicRoute must turn into an answer. */
import { Service } from "encore.dev/service";

export default new Service("probe");
