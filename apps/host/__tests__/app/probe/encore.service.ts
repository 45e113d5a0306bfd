import { middleware } from "encore.dev/api";
import { Service } from "encore.dev/service";

const stamp = middleware({ target: { tags: ["stamped"] } }, async (request, next) => {
  request.data.stamp = "from the middleware";
  return next(request);
});

export default new Service("probe", { middlewares: [stamp] });
