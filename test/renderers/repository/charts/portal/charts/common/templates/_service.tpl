{{- define "common.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ .Chart.Name }}
  annotations:
    service.beta.kubernetes.io/azure-load-balancer-internal: {{ .Values.internal | quote }}
  finalizers: [service.kubernetes.io/load-balancer-cleanup]
spec:
  type: LoadBalancer
  selector: { app: {{ .Chart.Name }} }
  ports:
    - { name: https, port: 443, targetPort: 8443 }
{{- end }}
