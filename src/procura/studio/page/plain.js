// The board of a puzzle that has no page of its own: its picture or its text, and its moves as buttons.

export class PlainBoard {
  constructor(host, tools) {
    this.tools = tools;
    this.host = host;
    this.picture = tools.h("div", { class: "plain" });
    this.actions = tools.h("div", { class: "actions", role: "group", "aria-label": tools.t("actions") });
    host.append(this.picture, this.actions);
  }

  open({ start }) {
    this.draw(start);
  }

  answer(frames) {
    this.frames = frames;
  }

  show(step) {
    this.draw(this.frames[step]);
  }

  game(reply) {
    this.draw(reply.view);
    const hint = JSON.stringify(reply.hint);
    this.actions.replaceChildren(
      ...reply.legal.map(({ move, words }) =>
        this.tools.h(
          "button",
          {
            type: "button",
            class: reply.hint !== null && JSON.stringify(move) === hint ? "hinted" : "",
            onclick: () => this.tools.move(move),
          },
          words,
        ),
      ),
    );
  }

  draw({ text, svg }) {
    const { h } = this.tools;
    const shown = svg
      ? h("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, alt: text })
      : h("pre", {}, text);
    this.picture.replaceChildren(shown);
  }
}
