# The runner, both tiers from one image: RUNNER_NETWORK says which. Build from the root of the repository:
#
#   docker build -f deploy/runner.Dockerfile -t xray-runner .
#
# A release pins PYTHON_IMAGE by digest.
ARG PYTHON_IMAGE=python:3.13-slim

FROM ${PYTHON_IMAGE} AS packages
COPY runner/requirements.txt /tmp/requirements.txt
RUN python3 -m venv /opt/venv \
 && /opt/venv/bin/pip install --quiet --no-cache-dir --require-hashes --only-binary :all: -r /tmp/requirements.txt \
 && rm -rf /opt/venv/bin/pip* /opt/venv/lib/python3*/site-packages/pip /opt/venv/lib/python3*/site-packages/pip-* \
           /opt/venv/lib/python3*/site-packages/setuptools*

FROM ${PYTHON_IMAGE}
COPY --from=packages /opt/venv /opt/venv
WORKDIR /opt/runner
COPY runner/xray_runner xray_runner
COPY runner/skills skills
COPY runner/manifest.json manifest.json
# Nothing in here installs anything, and an unusual user has the kernel's per-user counts to itself.
RUN rm -rf /usr/local/lib/python3*/site-packages/pip* /usr/lib/python3/dist-packages/pip* \
 && /opt/venv/bin/python -m compileall -q xray_runner \
 && mkdir -p /run/runner /run/work \
 && chown 10001:10001 /run/runner /run/work
USER 10001:10001
ENV RUNNER_LISTEN=/run/runner/runner.sock RUNNER_WORK=/run/work PYTHONUNBUFFERED=1
HEALTHCHECK --interval=10s --timeout=5s CMD ["/opt/venv/bin/python", "-m", "xray_runner", "--healthy"]
CMD ["/opt/venv/bin/python", "-m", "xray_runner"]
