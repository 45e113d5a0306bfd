/** The metrics service: how many read which page, and nothing about who. */
import { Service } from "encore.dev/service";

export default new Service("metrics");
