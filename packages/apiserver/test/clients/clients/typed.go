package main

import (
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
	"ots-apiserver-test-clients/facts"
)

// typedFacts: typed clients send protobuf, and take their errors apart.
func typedFacts(s Session) facts.Facts {
	client := s.client.CoreV1().ConfigMaps(s.namespace("typed"))
	created := facts.Must(client.Create(s, configMap("a", map[string]string{"k": "1"}), metav1.CreateOptions{}))
	_, again := client.Create(s, configMap("a", nil), metav1.CreateOptions{})
	_, unnamed := client.Create(s, &corev1.ConfigMap{}, metav1.CreateOptions{})
	generated := facts.Must(client.Create(s, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "g-"}}, metav1.CreateOptions{}))

	created.Data["k"] = "2"
	updated := facts.Must(client.Update(s, created, metav1.UpdateOptions{}))
	_, stale := client.Update(s, created, metav1.UpdateOptions{})
	retries := 0
	retried := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		retries++
		if retries > 1 {
			created = facts.Must(client.Get(s, "a", metav1.GetOptions{}))
		}
		created.Data["k"] = "3"
		_, err := client.Update(s, created, metav1.UpdateOptions{})
		return err
	})

	merged := facts.Must(client.Patch(s, "a", types.MergePatchType, []byte(`{"data":{"m":"1","k":null}}`), metav1.PatchOptions{}))
	strategic := facts.Must(client.Patch(s, "a", types.StrategicMergePatchType, []byte(`{"metadata":{"finalizers":["a.b/c"]}}`), metav1.PatchOptions{}))
	_, tested := client.Patch(s, "a", types.JSONPatchType, []byte(`[{"op":"test","path":"/data/m","value":"2"}]`), metav1.PatchOptions{})
	dry := facts.Must(client.Create(s, configMap("dry", nil), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}))
	_, missing := client.Get(s, "dry", metav1.GetOptions{})

	uid := types.UID("other")
	wrong := client.Delete(s, "a", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
	deleted := client.Delete(s, "a", metav1.DeleteOptions{})
	held := facts.Must(client.Get(s, "a", metav1.GetOptions{}))
	held.Finalizers = nil
	_, released := client.Update(s, held, metav1.UpdateOptions{})
	_, gone := client.Get(s, "a", metav1.GetOptions{})
	collection := client.DeleteCollection(s, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "of!=a"})
	left := facts.Must(client.List(s, metav1.ListOptions{}))

	_, invalid := s.client.PolicyV1().PodDisruptionBudgets("typed").Create(s,
		&policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "Upper"}}, metav1.CreateOptions{})
	_, nowhere := s.client.CoreV1().ConfigMaps("nowhere").Create(s, configMap("a", nil), metav1.CreateOptions{})
	return facts.Facts{
		"again":      facts.Outcome(again),
		"unnamed":    facts.Outcome(unnamed),
		"generated":  len(generated.Name),
		"updated":    updated.Data,
		"stale":      facts.Outcome(stale),
		"retried":    []any{retries, facts.Outcome(retried)},
		"merged":     merged.Data,
		"strategic":  strategic.Finalizers,
		"tested":     facts.Outcome(tested),
		"dry":        dry.UID != "" && dry.ResourceVersion == "",
		"missing":    facts.Outcome(missing),
		"wrong":      facts.Outcome(wrong) != "ok",
		"deleted":    facts.Outcome(deleted),
		"held":       held.DeletionTimestamp != nil,
		"released":   facts.Outcome(released),
		"gone":       facts.Outcome(gone),
		"collection": facts.Outcome(collection),
		"left":       len(left.Items),
		"invalid":    facts.Outcome(invalid),
		"nowhere":    facts.Outcome(nowhere),
	}
}
