# One small image: the server, the built web app, and an image of the empty database. Any base with Bun in it will do.
ARG BASE=oven/bun:1.4.5-slim

FROM ${BASE} AS build
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile
COPY . .
RUN bun src/prepare.ts
# What runs needs no build tools: only the packages of `dependencies`.
RUN mv node_modules/.cache /tmp/cache && rm -rf node_modules \
  && bun install --frozen-lockfile --production && mkdir -p node_modules && mv /tmp/cache node_modules/.cache \
  && rm -rf node_modules/.cache/breachbell/postgres test \
  && mkdir -p /data

FROM ${BASE}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/migrations ./migrations
COPY --from=build /app/locales ./locales
COPY --from=build /app/src ./src
COPY --from=build /app/web/dist ./web/dist
COPY --from=build --chown=1000:1000 /data /data
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["bun", "-e", "const r = await fetch(`http://127.0.0.1:${process.env.PORT}/api/health`); process.exit(r.ok ? 0 : 1)"]
CMD ["bun", "src/main.ts"]
