# One small image without a shell: the server as a few files of JavaScript, the built web app, and an image of the empty database.
# Nothing in it depends on the processor, and the last stage runs nothing: one build serves linux/amd64 and linux/arm64.
ARG BUILD_BASE=oven/bun:1.4.5-slim
ARG BASE=oven/bun:1.4.5-distroless

FROM --platform=$BUILDPLATFORM ${BUILD_BASE} AS build
WORKDIR /build
COPY package.json bun.lock bunfig.toml ./
RUN ["bun", "install", "--frozen-lockfile"]
COPY . .
RUN ["bun", "src/build/prepare.ts"]
RUN ["bun", "src/build/pack.ts", "/image"]

FROM ${BASE}
LABEL org.opencontainers.image.title="Breachbell" \
      org.opencontainers.image.description="Watches email addresses for data breaches and tells people by email, Telegram or Pushover" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
COPY --from=build /image/app /app
COPY --from=build /image/bin /usr/local/bin
COPY --from=build --chown=1000:1000 /image/volume /
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s \
  CMD ["/usr/local/bin/bun", "-e", "const r = await fetch(`http://127.0.0.1:${process.env.PORT}/readyz`); process.exit(r.ok ? 0 : 1)"]
# None of the base's own: `docker run … breachbell doctor` replaces the server by the command line.
ENTRYPOINT []
CMD ["/usr/local/bin/bun", "/app/src/main.js"]
