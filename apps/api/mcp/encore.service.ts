/** The admin service: the owner's one way to change the site. */
import { Service } from "encore.dev/service";

export default new Service("mcp");
