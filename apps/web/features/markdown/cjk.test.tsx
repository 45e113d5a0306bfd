import { describe, expect, it } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { cjkFriendly } from "./cjk";

const drawn = (text: string) =>
  renderToStaticMarkup(<ReactMarkdown remarkPlugins={[remarkGfm, cjkFriendly]}>{text}</ReactMarkdown>).replace(
    /^<p>|<\/p>$/g,
    "",
  );

describe("an address in Chinese text", () => {
  it("ends where full-width punctuation begins", () => {
    expect(drawn("见 https://example.com/docs（说明）和www.example.com/a。完")).toBe(
      '见 <a href="https://example.com/docs">https://example.com/docs</a>（说明）和www.example.com/a。完',
    );
    expect(drawn("见 www.example.com/a，完")).toBe('见 <a href="http://www.example.com/a">www.example.com/a</a>，完');
  });

  it("is left as it is where it was marked as one", () => {
    expect(drawn("<https://example.com/（a）>")).toContain('href="https://example.com/%EF%BC%88a%EF%BC%89"');
    expect(drawn("[https://a.example，b](https://c.example)")).toBe(
      '<a href="https://c.example">https://a.example，b</a>',
    );
  });
});

describe("emphasis in Chinese text", () => {
  it("is closed by its marks though a full stop stands before them and a letter behind", () => {
    expect(drawn("**重点。**下一步，*注意！*再见")).toBe("<strong>重点。</strong>下一步，<em>注意！</em>再见");
    expect(drawn("他说**“好”**了")).toBe("他说<strong>“好”</strong>了");
  });

  it("is none where marks were escaped, stand in code, or enclose what is no such text", () => {
    expect(drawn("\\*\\*重点。\\*\\*下")).toBe("**重点。**下");
    expect(drawn("`**重点。**下`")).toBe("<code>**重点。**下</code>");
    expect(drawn("2 ** 3 ** 4, a*b.*c")).toBe("2 ** 3 ** 4, a*b.*c");
    expect(drawn("重 ** 点。 ** 下")).toBe("重 ** 点。 ** 下");
  });
});
