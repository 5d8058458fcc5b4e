// Search in pages opened from the disk, where browsers refuse workers: the worker's script runs in a hidden frame.
// As between workers, messages are copies, and arrive later, never while the sender is still at work.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(url) {
      this.waiting = []
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      this.frame.addEventListener("load", () => this.load(this.frame.contentWindow, url), { once: true })
      document.body.append(this.frame)
    }

    load(inside, url) {
      inside.postMessage = data => this.deliver(data, event => this.onmessage?.(event))
      const script = inside.document.createElement("script")
      script.src = url
      script.addEventListener("load", () => {
        this.inside = inside
        this.waiting.splice(0).forEach(data => this.postMessage(data))
      })
      inside.document.head.append(script)
    }

    postMessage(data) {
      if (this.inside) this.deliver(data, event => this.inside.dispatchEvent(event))
      else this.waiting.push(structuredClone(data))
    }

    deliver(data, handler) {
      const event = new MessageEvent("message", { data: structuredClone(data) })
      setTimeout(() => handler(event))
    }

    terminate() {
      this.frame.remove()
    }
  }
}
