import { describe, expect, it } from "bun:test";
import { parameterNames, Router } from "./router.mts";

function routerOf(...paths: string[]): Router<string> {
  const router = new Router<string>();
  for (const path of paths) router.add(["GET"], path, path);
  return router;
}

describe("Router", () => {
  it.each([
    // paths, request, expected path, values
    [["/"], "/", "/", []],
    [["/a", "/:x"], "/a", "/a", []],
    [["/a", "/:x"], "/b", "/:x", ["b"]],
    [["/:x", "/*w"], "/b", "/:x", ["b"]],
    [["/:x", "/*w"], "/b/c", "/*w", ["b/c"]],
    [["/a/b/c", "/a/:x/d"], "/a/b/d", "/a/:x/d", ["b"]],
    [["/a/:x/:y"], "/a/1/2", "/a/:x/:y", ["1", "2"]],
    [["/a"], "/a/", "/a", []],
    [["/a/:x"], "/a/1/", "/a/:x", ["1"]],
    [["/a/*w"], "/a/", "/a/*w", []],
    [["/a", "/a/*w"], "/a/", "/a/*w", []],
    [["/a/:x"], "/a/%2F", "/a/:x", ["%2F"]],
  ] as const)("among %p takes %p to %p with %p", (paths, request, expected, values) => {
    const found = routerOf(...paths).find(request);
    expect({ target: found?.methods.get("GET"), values: found?.values }).toEqual({
      target: expected,
      values: [...values],
    });
  });

  it.each([
    [["/a"], "/A"],
    [["/a"], "/a//"],
    [["/a/*w"], "/a"],
    [["/a/:x"], "/a//"],
    [["/:x"], "/"],
    [["/a/b"], "/a"],
    [["/a"], "//a"],
  ] as const)("among %p finds nothing for %p", (paths, request) => {
    expect(routerOf(...paths).find(request)).toBeUndefined();
  });

  it("lets the path decide before the method", () => {
    const router = new Router<string>();
    router.add(["POST"], "/a/b", "literal");
    router.add(["GET"], "/a/:x", "parameter");
    expect([...router.find("/a/b")!.methods.keys()]).toEqual(["POST"]);
  });

  it("keeps methods of one path apart", () => {
    const router = new Router<string>();
    router.add(["GET", "HEAD"], "/a/:x", "read");
    router.add(["DELETE"], "/a/:y", "remove");
    expect([...router.find("/a/1")!.methods]).toEqual([
      ["GET", "read"],
      ["HEAD", "read"],
      ["DELETE", "remove"],
    ]);
  });
});

it("names parameters in the order of their values", () => {
  expect(parameterNames("/a/:x/b/:y/*rest")).toEqual(["x", "y", "rest"]);
});
